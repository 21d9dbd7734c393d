export const open = () => ({ session: 1 });
export const sends = () => ({ reply: '' });
export const close = () => {};
