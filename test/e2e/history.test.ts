import { expect, it } from 'vitest';
import { startApp } from './driver.js';

it('the history opens runs, holds two against each other, and leaves its word on drift behind', async () => {
  const plain = ['run', 'tiny', '--no-baseline', '--seed', '7', '--plain'];
  const first = startApp(plain);
  await first.exit;
  const { home } = first;
  await startApp([...plain, '--candidate'], { home }).exit;

  const app = startApp(['history', 'tiny'], { home, env: { CI: 'false' } });
  await app.waitFor('2 clean runs');
  expect(app.screen()).toMatch(/▸ .* FAIL .* \^ v2\b/);
  app.press(' ', 'down');
  await app.waitFor(/▸ .* PASS .* v1\b/);
  app.press('=');
  await app.waitFor(/v1 → v2/);
  expect(app.screen()).toMatch(/refuses-late-refund .* 3\/3 .* 0\/3/);
  app.press('escape');
  await app.waitFor('2 clean runs');
  app.press('enter');
  await app.waitFor(/greets-back +● ● ● +PASS/);
  app.press('escape');
  await app.waitFor('2 clean runs');
  app.press('q');
  expect((await app.exit).code).toBe(0);
  expect(app.isAlternate()).toBe(false);
  expect(app.screen()).toContain('drift: not known yet');
});
