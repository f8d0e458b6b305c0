// The types in geo.d.ts are all there is.
export const geo = true;
