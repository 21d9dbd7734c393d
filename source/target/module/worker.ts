/**
 * What runs in the thread of a module, as plain JavaScript: it is the same from the sources and from the built program,
 * and neither has to find the other's files. It says first `{loaded}` or `{problem}`, then for every call any number of
 * `{call, delta}` and one of `{call, result}`, `{call, thrown}` and `{call, unwritable}`. Beside them come `{said}`,
 * what was printed, and `{late}`, an error outside of any call, both with the session where that is known.
 */
export const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { AsyncLocalStorage } = require('node:async_hooks');
const { pathToFileURL } = require('node:url');

const post = parentPort.postMessage.bind(parentPort);
const current = new AsyncLocalStorage();
const sessions = new Map();
const calls = new Map();

for (const stream of [process.stdout, process.stderr]) {
  stream.write = (chunk, encoding, done) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    post({ said: text.slice(0, 65536), session: current.getStore() });
    const heard = typeof encoding === 'function' ? encoding : done;
    if (heard) process.nextTick(heard);
    return true;
  };
}

// Of one conversation, which must not end those beside it.
process.exit = process.reallyExit = (code) => {
  throw new Error('it called process.exit(' + (code === undefined ? '' : code) + ')');
};
const sayLate = (error) => post({ late: describe(error), session: current.getStore() });
process.on('uncaughtException', sayLate);
process.on('unhandledRejection', sayLate);

const primitive = (value) => (Object(value) === value || typeof value === 'symbol' ? null : value);

function describe(error) {
  try {
    const isError = error instanceof Error;
    return {
      text: isError ? error.name + ': ' + error.message : String(error),
      stack: isError && typeof error.stack === 'string' ? error.stack : undefined,
      report:
        typeof error === 'object' && error !== null && 'kind' in error
          ? {
              kind: primitive(error.kind),
              message: primitive(error.message),
              retryAfterSeconds: primitive(error.retryAfterSeconds),
            }
          : undefined,
    };
  } catch {
    return { text: 'something that cannot be shown' };
  }
}

async function load({ file, jiti }) {
  const { href } = pathToFileURL(file);
  if (/\\.[cm]?js$/.test(file)) return import(href);
  // No cache on disk: it would be written into the user's node_modules.
  return require(jiti).createJiti(href, { fsCache: false }).import(file);
}

function membersOf(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return {};
  return Object.fromEntries(Object.keys(value).map((key) => [key, value[key]]));
}

const product = load(workerData).then((loaded) => {
  const named = membersOf(loaded);
  const exported = typeof named.open === 'function' ? named : { ...named, ...membersOf(named.default) };
  const types = Object.entries(exported).map(([key, value]) => [key, typeof value]);
  post({ loaded: Object.fromEntries(types) });
  return exported;
});
product.catch((error) => post({ problem: describe(error).text }));

async function run({ call, method, session, params, message }, signal) {
  const { open, send, close } = await product;
  if (method === 'close') {
    const value = sessions.get(session);
    sessions.delete(session);
    await close(value);
    return undefined;
  }
  if (method === 'open') {
    const result = await open(params);
    const value = Object(result).session;
    if (typeof result !== 'object' || result === null || value === undefined) return result;
    // A session may be anything, also what is no JSON; the rest is checked as in the protocol.
    if (!signal.aborted) sessions.set(session, value);
    return { ...result, session: null };
  }
  const onDelta = (delta) => {
    if (!calls.has(call) || signal.aborted) return;
    post({ call, delta: typeof delta === 'string' ? delta : undefined, type: typeof delta });
  };
  return send(sessions.get(session), message, { onDelta, signal });
}

async function answer(request) {
  const { call } = request;
  const controller = new AbortController();
  calls.set(call, controller);
  let result;
  try {
    result = await run(request, controller.signal);
  } catch (error) {
    return { call, thrown: describe(error) };
  } finally {
    calls.delete(call);
  }
  try {
    return { call, result: JSON.stringify(result) };
  } catch (error) {
    // A stack that ran out says nothing to whoever wrote the module.
    const why = error instanceof Error ? error.message : describe(error).text;
    return { call, unwritable: error instanceof RangeError ? 'it is nested too deeply' : why };
  }
}

parentPort.on('message', (request) => {
  if (request.ping) return post({ pong: true });
  if (request.abort !== undefined) return calls.get(request.abort)?.abort(new Error(request.reason));
  current.run(request.session, () => answer(request).then(post));
});
`;
