import { got } from "./witness.ts";

/**
 * Greet somebody.
 * @param name - Who it is
 */
export default function greet(name: string, loudly = false): string {
  return got(name, loudly);
}
