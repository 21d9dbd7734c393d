import { hash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of numbers in [0, 1). The same seed parts always give the same stream. */
export interface Random {
  next(): number;
}

/**
 * A seeded stream. The seed is made from named parts (run seed, scenario, repeat, …) rather than from a
 * counter, so that what a trial draws depends on which trial it is and never on when it ran.
 */
export function createRandom(...parts: readonly (string | number)[]): Random {
  const digest = hash('sha256', JSON.stringify(parts), 'buffer');
  const generator = xoroshiro128plus(digest.readInt32LE(0));
  // The generator takes 32 bits of seed; eight draws separate neighbouring seeds.
  for (let i = 0; i < 8; i++) generator.next();
  return { next: () => uniformFloat64(generator) };
}
