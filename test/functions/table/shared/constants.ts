export const defaultCity = "Paris";

export const limits = { days: 14, seats: 4 } as const;
