import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const input = JSON.parse(await text(process.stdin));
const { does, answer } = input.args;
const say = (value) => process.stdout.write(JSON.stringify(value));
switch (does) {
  case 'fail':
    console.error('Traceback:');
    console.error('KeyError: turns');
    process.exit(4);
    break;
  case 'killed':
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'wait':
    setInterval(() => {}, 1000);
    break;
  case 'stubborn':
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
    break;
  case 'child': {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    writeFileSync(process.env.PID_FILE, String(child.pid));
    setInterval(() => {}, 1000);
    break;
  }
  case 'flood':
    for (let round = 0; round < 40; round++) process.stdout.write('x'.repeat(100_000));
    break;
  case 'prose':
    process.stdout.write('Looking good!\n{"verdict": "pass", "reason": "r"}');
    break;
  case 'cwd':
    say({ verdict: 'pass', reason: `${process.cwd()} ${process.env.GREETING}` });
    break;
  case 'echo':
    say({
      verdict: 'pass',
      reason: `${input.check}: ${input.turns.map(({ message }) => message).join(', ')}`,
    });
    break;
  default:
    if (answer !== undefined) say(answer);
}
