// A check as a command, in any language: the input is JSON on standard input, the answer JSON on standard output.
// Every time of day that the agent offers has to come from its calendar, not from thin air.
import { text } from 'node:stream/consumers';

const { turns } = JSON.parse(await text(process.stdin));
const timesIn = (value) => new Set(JSON.stringify(value).match(/\b\d{1,2}:\d{2}\b/g));

const known = new Set();
const offered = [];
for (const { index, message, reply } of turns) {
  for (const time of timesIn(message)) known.add(time);
  for (const [part, piece] of reply.parts.entries()) {
    if (piece.kind === 'tool')
      for (const time of timesIn([piece.call.args, piece.call.result])) known.add(time);
    else for (const time of timesIn(piece.text)) offered.push({ time, turn: index, part });
  }
}

const invented = offered.find(({ time }) => !known.has(time));
const answer = invented
  ? {
      verdict: 'fail',
      reason: `expected only times that the calendar gave, saw ${invented.time} in turn ${invented.turn}`,
      evidence: [{ turn: invented.turn, part: invented.part }],
    }
  : offered.length === 0
    ? { verdict: 'unknown', reason: 'no time was offered' }
    : { verdict: 'pass', reason: `${offered.length} times were offered, all of them from the calendar` };
process.stdout.write(JSON.stringify(answer));
