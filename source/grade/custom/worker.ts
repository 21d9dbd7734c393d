/**
 * What runs in the thread of a module check, as plain JavaScript: it is the same from the sources and from the built
 * program, and neither has to find the other's files. Answers each input, a JSON text, with `{answer}`, a JSON
 * text, or `{problem}`.
 */
export const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { pathToFileURL } = require('node:url');

const say = (error) => {
  const text = error instanceof Error ? error.name + ': ' + error.message : String(error);
  return text.split('\\n')[0];
};

async function load({ file, jiti }) {
  const { href } = pathToFileURL(file);
  if (/\\.[cm]?js$/.test(file)) return import(href);
  // No cache on disk: it would be written into the user's node_modules.
  return require(jiti).createJiti(href, { fsCache: false }).import(file);
}

function exported(loaded) {
  const inner = loaded && loaded.default;
  const found = [inner, loaded && loaded.check, inner && inner.check, inner && inner.default].find(
    (one) => typeof one === 'function',
  );
  if (!found) throw new Error('it exports no function, neither as its default nor as "check"');
  return found;
}

const loading = load(workerData).then(
  (loaded) => ({ check: exported(loaded) }),
).catch((error) => ({ problem: 'it cannot be loaded: ' + say(error) }));

parentPort.on('message', async (input) => {
  const { check, problem } = await loading;
  if (problem) return parentPort.postMessage({ problem });
  try {
    const answer = JSON.stringify(await check(JSON.parse(input)));
    parentPort.postMessage({ answer: answer === undefined ? '' : answer });
  } catch (error) {
    parentPort.postMessage({ problem: 'it threw ' + say(error) });
  }
});
`;
