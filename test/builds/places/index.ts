import type { PlaceGroup } from "../place.ts";
import { bundlers } from "./bundlers.ts";
import { development } from "./development.ts";

/** Every group, in the order of the page. A group has a test file of its own that tries it. */
export const groups: readonly PlaceGroup[] = [development, bundlers];
