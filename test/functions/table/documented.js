// @ts-check
import { got } from "../row.ts";

/**
 * Books a table.
 * @param {string} name - Who comes
 * @param {number} [seats=2] - How many come @minimum 1
 */
export function bookTable(name, seats = 2) {
  got(name, seats);
}

/**
 * @typedef {object} Trip
 * @property {string} from Where it begins.
 * @property {string} [to] Where it ends.
 * @property {("bus" | "train")} by
 */

/** Plans a trip. @param {Trip} trip - The trip */
export function planTrip(trip) {
  got(trip);
}

/**
 * Sums up.
 * @param {...number} terms - What to add
 */
export const sumUp = (...terms) => {
  got(terms);
};

/**
 * Finds rooms.
 * @param {object} options - What to look for
 * @param {string} options.city - Where
 * @param {number} [options.guests=1] - For how many
 */
export function findRooms({ city, guests = 1 }) {
  got(city, guests);
}

/**
 * Picks one.
 * @template {string | number} Key
 * @param {Key} key
 * @param {"red" | "blue" | null} color
 */
export function pick(key, color) {
  got(key, color);
}

/** @type {(city: string, days?: number) => void} */
export const forecast = (city, days) => {
  got(city, days);
};

/** @param {import("./shared/people.ts").Person} person */
export function invite(person) {
  got(person);
}

/** @enum {string} */
export const sizes = { small: "s", large: "l" };

/** @param {Record<string, number[]>} scores @param {Date} at */
export function rank(scores, at) {
  got(scores, at);
}

/**
 * Doubles.
 * @param {number} value
 * @returns {{ doubled: number }}
 */
export function double(value) {
  got(value);
  return { doubled: value * 2 };
}
