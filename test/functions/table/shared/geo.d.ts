// A package that ships its types alone.

export interface Coordinates {
  /** Degrees north. @minimum -90 */
  latitude: number;
  longitude: number;
}

export type Region = { name: string; outline: Coordinates[] };

export declare const geo: boolean;
