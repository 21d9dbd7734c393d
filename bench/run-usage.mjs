// Loaded before a program that is measured: writes the most memory that it had, in bytes, to the file that it is told.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.BENCH_USAGE;
  // Threads and children of the program load this as well.
  if (file) writeFileSync(file, String(process.resourceUsage().maxRSS * 1024));
});
