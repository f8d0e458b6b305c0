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
    {
      name: "Functions of a package without types",
      write: "nothing",
      gets: {
        refusal: "npm i -D @types/tool-box",
        only: ["a function of a package", "a context of a package's function"],
      },
      withoutDeclarations: true,
      run: "node src/main.ts",
    },
    {
      name: "Node, with TypeScript 5.9 in the project",
      write: "`node src/main.ts`",
      gets: "schemas",
      install: "typescript-5",
      run: "node src/main.ts",
    },
    {
      name: "Node, with TypeScript 6 in the project",
      write: "`node src/main.ts`",
      gets: "schemas",
      install: "typescript-6",
      run: "node src/main.ts",
    },
    {
      name: "Node, with `strictNullChecks` off",
      write: '`"strict":false`',
      gets: {
        warning: "without strictNullChecks, null in a type is not seen: turn it on in tsconfig.json",
        withoutNull: ["instantiated generic types", "optional and nullable parameters"],
        written: "tool(fn) with an input",
      },
      compilerOptions: { strict: false },
      run: "node src/main.ts",
    },
    {
      name: "JavaScript with types in comments",
      write: "`@param {string} city`, and `@public` at methods of classes",
      gets: {
        refusal: ["write the types in a comment above the function", "Write the type where output is called"],
        only: ["a function written in the list", "an output type"],
      },
      javascript: "typed",
      run: "node src/main.js",
    },
    {
      name: "JavaScript without types",
      write: "nothing",
      gets: {
        refusal: [
          "write the types in a comment above the function",
          "write @public in the comment of each method that is one",
        ],
      },
      javascript: "untyped",
      run: "node src/main.js",
    },
  ],
};
