import type { Stage } from "./people.ts";

/** How things look. */
export interface Theme {
  color: "light" | "dark";
  stage?: Stage;
}
