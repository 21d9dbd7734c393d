import { say, serve } from './protocol.mjs';

// The message is the error object to report, or the result to give.
serve({
  open(params, id) {
    if (params.variables?.refuse) say({ id, error: { kind: 'auth', message: 'no such account' } });
    else return params.variables?.result ? JSON.parse(params.variables.result) : { session: 1 };
  },
  send({ message }, id) {
    const { raw, ...answer } = JSON.parse(message);
    if (raw !== undefined) process.stdout.write(`${raw.replaceAll('ID', id)}\n`);
    else say({ id, ...answer });
  },
});
