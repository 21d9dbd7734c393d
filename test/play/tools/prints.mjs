// Prints what its first argument says; with `arguments` what it was given, with `told` what it knows of the trial.
import { writeSync } from 'node:fs';

const [how, text = ''] = process.argv.slice(2);
let input = '';
for await (const chunk of process.stdin) input += chunk;
if (how === 'arguments') writeSync(1, JSON.stringify({ given: JSON.parse(input) }));
else if (how === 'told') {
  const { EVALRUN_TOOL, EVALRUN_ACCOUNT, EVALRUN_SCENARIO, EVALRUN_TENANT, SHOP } = process.env;
  writeSync(1, JSON.stringify({ EVALRUN_TOOL, EVALRUN_ACCOUNT, EVALRUN_SCENARIO, EVALRUN_TENANT, SHOP }));
} else if (how === 'secret') {
  writeSync(1, JSON.stringify({ header: process.env.SHOP_TOKEN }));
  writeSync(2, `token ${process.env.SHOP_TOKEN}\n`);
  process.exitCode = Number(text);
} else if (how === 'endless') {
  for (;;) writeSync(1, 'x'.repeat(65536));
} else if (how === 'fails') {
  writeSync(2, 'reading the order\nthe database is gone\n');
  process.exitCode = 3;
} else if (how === 'hangs') setInterval(() => {}, 1000);
else writeSync(1, text);
