export const listeners = {};
