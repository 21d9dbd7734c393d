export function check({ turns }) {
  return { verdict: turns.length > 1 ? 'pass' : 'fail', reason: `${turns.length} turns` };
}
