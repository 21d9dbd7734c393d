// Does what the message says, in a way that the bench has to catch.
export const open = ({ variables }) =>
  (variables?.opens ?? 'well') === 'well' ? { session: {} } : { sesion: 1 };
export const close = () => {};
let aborted;

const circle = {};
circle.self = circle;

class Refusal extends Error {
  constructor(kind, message, retryAfterSeconds) {
    super(message);
    Object.assign(this, { kind, retryAfterSeconds });
  }
}

const acts = {
  throws: () => {
    throw new RangeError(`no such order: ${process.env.SOME_API_KEY ?? '7'}`);
  },
  'throws a text': () => Promise.reject('just a text'),
  'is refused': () => {
    throw new Refusal('rate-limit', 'slow down', 2);
  },
  'never answers': (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        aborted = signal.reason;
        reject(new Error('too late to matter'));
      });
    }),
  'answers in a circle': () => ({ reply: 'x', signals: { circle } }),
  'answers nothing': () => {},
  'answers with a wrong key': () => ({ reply: 'x', quickReplies: [] }),
  'streams a number': (onDelta) => {
    onDelta(7);
    return { reply: 'x' };
  },
  'says what was aborted': () => ({ reply: aborted?.message ?? 'nothing' }),
  'ends the process': () => process.exit(0),
  'ends the process later': () => {
    setTimeout(() => process.exit(0));
    return new Promise(() => {});
  },
  'throws later': () => {
    setTimeout(() => {
      throw new Error('nobody waits for this');
    });
    return new Promise(() => {});
  },
  'rejects later': () => {
    void new Promise((_resolve, reject) => setTimeout(() => reject(new Error('nobody handles this'))));
    return new Promise(() => {});
  },
  'throws after its reply': () => {
    setTimeout(() => {
      throw new Error('nobody waits for this');
    });
    return { reply: 'fine so far' };
  },
  'throws after all is over': () => {
    setTimeout(() => {
      throw new Error('nobody waits for this');
    }, 20);
    return { reply: 'fine so far' };
  },
  waits: () => new Promise((resolve) => setTimeout(() => resolve({ reply: 'waited' }), 30)),
  'computes in a circle': () => {
    while (true);
  },
  prints: () => {
    console.log('::error::raw\nmy key: %s', process.env.SOME_API_KEY ?? '-');
    process.stdout.write('in ');
    process.stderr.write('pieces\n');
    return { reply: 'printed' };
  },
  'streams too late': (onDelta) => {
    setImmediate(() => onDelta('late'));
    return { reply: 'in time' };
  },
};

export const send = (_session, message, { onDelta, signal }) => acts[message](onDelta, signal);
