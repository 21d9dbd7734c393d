export const greeting = 'call number';
