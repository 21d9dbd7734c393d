/**
 * Takes from openly licensed data sets what the tests in this folder grade:
 * `npx tsx test/grade/real/capture.ts FOLDER`, where FOLDER holds `tau-bench-airline` and `bfcl`. What is left out
 * (system prompts, descriptions of functions) is not looked at by a check.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [from = ''] = process.argv.slice(2);
const data = join(import.meta.dirname, 'data');

const read = (...path: string[]) => readFileSync(join(from, ...path), 'utf8');
const lines = (...path: string[]) =>
  read(...path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const write = (name: string, rows: readonly unknown[]) =>
  writeFileSync(join(data, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

const tasks = JSON.parse(read('tau-bench-airline', 'tasks.json'));
write(
  'tau-bench-airline.jsonl',
  lines('tau-bench-airline', 'gpt-4o-airline.trajectories.jsonl').map(
    ({ id, task_id, reward, messages }) => ({
      id,
      reward,
      expected: { actions: tasks[task_id].actions, outputs: tasks[task_id].outputs },
      messages: messages.filter(({ role }: { role: string }) => role !== 'system'),
    }),
  ),
);
write(
  'bfcl-simple.jsonl',
  lines('bfcl', 'live_simple.jsonl').map(({ id, ground_truth }) => ({ id, accepted: ground_truth[0] })),
);
write(
  'bfcl-irrelevance.jsonl',
  lines('bfcl', 'live_irrelevance_no_call.jsonl').map((row) => ({
    id: row.id,
    message: row.question[0].at(-1).content,
    functions: row.function.map(({ name }: { name: string }) => name),
  })),
);
copyFileSync(join(from, 'tau-bench-airline', 'LICENSE'), join(data, 'tau-bench-MIT.txt'));
copyFileSync(join(from, 'bfcl', 'LICENSE'), join(data, 'bfcl-Apache-2.0.txt'));
