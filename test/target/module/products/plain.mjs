export default {
  open: () => ({ session: 'only' }),
  send: (session, message) => ({ reply: `${session}: ${message}` }),
  close() {},
};
