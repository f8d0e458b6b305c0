import type { PlaceGroup } from "../place.ts";

/** Programs that run from their sources. */
export const development: PlaceGroup = {
  title: "from source",
  places: [
    { name: "Node", write: "`node src/main.ts`", gets: "schemas", run: "node src/main.ts" },
    {
      name: "Node, with the loader",
      write: "`node --import skein/register src/main.ts`",
      gets: "schemas",
      run: "node --import skein/register src/main.ts",
    },
  ],
};
