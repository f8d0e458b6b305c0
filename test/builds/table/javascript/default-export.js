import { got } from "./witness.js";

/**
 * Greet somebody.
 * @param {string} name - Who it is
 * @param {boolean} [loudly]
 */
export default function greet(name, loudly = false) {
  return got(name, loudly);
}
