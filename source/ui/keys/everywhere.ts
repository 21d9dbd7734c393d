import type { Binding } from './binding.js';

/** The keys that are heard everywhere. */
export const everywhereKeys = [
  { action: 'help', keys: ['?'], description: 'all keys of this screen' },
  {
    action: 'interrupt',
    keys: ['ctrl+c'],
    description:
      'stop the run and finish what is in flight; pressed again, abort it and leave. Without a run, quit',
  },
  {
    action: 'suspend',
    keys: ['ctrl+z'],
    description: 'back to the shell for a while; fg continues',
  },
  { action: 'redraw', keys: ['ctrl+l'], description: 'draw the screen anew' },
] as const satisfies readonly Binding[];
