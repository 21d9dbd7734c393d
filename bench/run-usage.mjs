// Loaded before a program that is measured: writes the most memory that it had, in bytes, and the
// processor's time that it took, in milliseconds, to the file that it is told.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const file = process.env.BENCH_USAGE;
  // Threads and children of the program load this as well.
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  if (file)
    writeFileSync(
      file,
      JSON.stringify({ bytes: maxRSS * 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000 }),
    );
});
