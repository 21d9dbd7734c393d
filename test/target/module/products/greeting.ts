export const greet = (message: string): string => `Hello, ${message}!`;
