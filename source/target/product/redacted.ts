import type { Json } from '../../base/json.js';
import { createPieceReplacer, type Matcher, replaceInJson } from '../../project/matcher.js';
import type { AgentReply, ReplyProgress, Session, Target } from '../types.js';

/** The target, with keys taken out of all that its product says: replies, also while they stream, and tuning values. */
export function withoutKeys(target: Target, keys: Matcher): Target {
  if (keys.isEmpty) return target;
  const { tuning } = target;
  return {
    ...target,
    open: async (request) => redactedSession(await target.open(request), keys),
    ...(tuning && {
      tuning: async () => {
        const values = await tuning();
        return values === undefined ? undefined : replaceInJson(keys, values);
      },
    }),
  };
}

function redactedSession(session: Session, keys: Matcher): Session {
  const { log } = session;
  return {
    async send(message, onProgress, signal) {
      const reply = await session.send(message, redactedProgress(onProgress, keys), signal);
      return replaceInJson(keys, reply as unknown as Json) as unknown as AgentReply;
    },
    close: () => session.close(),
    ...(log && { log }),
  };
}

/** Characters by which a text is known again that has grown. */
const tailLength = 32;

/** Every text holds those before it, so that no more than what is new has to be looked at. */
function redactedProgress(
  onProgress: (progress: ReplyProgress) => void,
  keys: Matcher,
): (progress: ReplyProgress) => void {
  let replacer = createPieceReplacer(keys);
  let seen = 0;
  let tail = '';
  let said = '';
  return (progress) => {
    if (progress.type === 'tool') return onProgress({ type: 'tool', name: keys.replace(progress.name) });
    const { text } = progress;
    if (text.length < seen || text.slice(seen - tail.length, seen) !== tail) {
      replacer = createPieceReplacer(keys);
      seen = 0;
      said = '';
    }
    said += replacer.push(text.slice(seen));
    seen = text.length;
    tail = text.slice(-tailLength);
    onProgress({ type: 'text', text: said });
  };
}
