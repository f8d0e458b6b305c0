import type { PlaceGroup } from "../place.ts";
import { bundlers } from "./bundlers.ts";
import { compilers } from "./compilers.ts";
import { development } from "./development.ts";
import { edge } from "./edge.ts";
import { frameworks } from "./frameworks.ts";
import { nestJs } from "./nest.ts";
import { next } from "./next.ts";
import { runners } from "./runners.ts";
import { runtimes } from "./runtimes.ts";
import { workspaces } from "./workspaces.ts";

/** Every group, in the order of the page. A group has a test file of its own that tries it. */
export const groups: readonly PlaceGroup[] = [
  development,
  runners,
  workspaces,
  compilers,
  bundlers,
  nestJs,
  next,
  frameworks,
  runtimes,
  edge,
];
