/** The SDK counts milliseconds in 32 bits; deadlines are ours. */
export const noDeadline = 0x7fffffff;

/** How many pages of a list are read. */
export const mostPages = 250;
