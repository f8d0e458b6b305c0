import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Place, PlaceGroup } from "../place.ts";

const config = `import { withSkein } from "skein/next";

export default withSkein({ output: "standalone" });
`;

const page = readFileSync(new URL("../../../docs/next.md", import.meta.url), "utf8");

/** A program of the page about Next.js. */
function pageProgram(file: string): string {
  const program = page.split("```tsx\n").find((block) => block.startsWith(`// ${file}\n`));
  if (program === undefined) throw new Error(`docs/next.md shows no ${file}.`);
  return program.split("```", 1).join("");
}

/** The configuration and the route as the page shows them. */
const pageConfig: Readonly<Record<string, string>> = { "next.config.ts": pageProgram("next.config.ts") };
const pageRoute: Readonly<Record<string, string>> = {
  "src/app/api/chat/route.ts": pageProgram("app/api/chat/route.ts"),
};

/** A route that answers with what another part of the application has left. */
const routeOf = (name: string): string => `export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(Reflect.get(globalThis, "${name}"));
}
`;

const reportRoute = `import { report } from "../../report";

export const dynamic = "force-dynamic";

export async function GET() {
  return Response.json(await report());
}
`;

const files: Readonly<Record<string, string>> = {
  "src/app/report/route.ts": reportRoute,
  "src/app/edge/route.ts": reportRoute.replace('dynamic = "force-dynamic"', 'runtime = "edge"'),
  "src/app/instrumentation/route.ts": routeOf("instrumented"),
  "src/app/action/route.ts": routeOf("acted"),
  "src/instrumentation.ts": `import { report } from "./report";

export async function register() {
  Reflect.set(globalThis, "instrumented", await report());
}
`,
  "src/app/actions.ts": `"use server";

import { report } from "../report";

export async function act() {
  Reflect.set(globalThis, "acted", await report());
}
`,
  "src/app/page.tsx": `import { act } from "./actions";

export default function Page() {
  return (
    <form action={act}>
      <button>Act</button>
    </form>
  );
}
`,
  "src/app/layout.tsx": `import type { ReactNode } from "react";

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
`,
  "src/unit.ts": 'export type Unit = "g" | "kg";\n',
  "src/app/unit/route.ts": `import { schemaOf } from "skein";
import type { Unit } from "../../unit";

export const dynamic = "force-dynamic";

/** Weigh a thing. */
const weigh = (thing: string, unit: Unit) => thing + unit;

export async function GET() {
  const { inputSchema } = await schemaOf(weigh);
  return Response.json(JSON.parse(JSON.stringify(inputSchema)).properties.unit.enum);
}
`,
};

const serve = `node ${fileURLToPath(new URL("../next/serve.ts", import.meta.url))}`;
const routes = "report,edge,instrumentation,action";

const compilerOptions = {
  target: "es2022",
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: undefined,
  lib: ["es2024", "dom", "dom.iterable"],
  jsx: "react-jsx",
  types: ["node"],
  isolatedModules: true,
};

function placeOf(place: Pick<Place, "name" | "write" | "run"> & Partial<Place>): Place {
  return {
    gets: "schemas",
    install: "next",
    imports: "",
    packageJson: { type: undefined },
    compilerOptions,
    ...place,
    files: { ...files, ...place.files },
  };
}

/** Next.js, each bundler in development and in what is built. */
export const next: PlaceGroup = {
  title: "Next.js",
  places: [
    placeOf({
      name: "Next.js, in development",
      write: '`import { withSkein } from "skein/next"`, `next dev`',
      files: { ...pageConfig, ...pageRoute },
      run: `${serve} ${routes} next dev`,
    }),
    placeOf({
      name: "Next.js, in development with webpack",
      write: '`import { withSkein } from "skein/next"`, `next dev --webpack`',
      files: { ...pageConfig, ...pageRoute },
      run: `${serve} ${routes} next dev --webpack`,
    }),
    placeOf({
      name: "Next.js, built, and standalone",
      write: '`import { withSkein } from "skein/next"`, `next build`',
      files: { "next.config.mjs": config, ...pageRoute },
      build: "NEXT_TELEMETRY_DISABLED=1 next build",
      run: `LIMIT=50000000 ${serve} ${routes} next start -- node server.js`,
    }),
    placeOf({
      name: "Next.js, built with webpack, and standalone",
      write: '`import { withSkein } from "skein/next"`, `next build --webpack`',
      // Next.js checks the same types as above.
      files: {
        ...pageRoute,
        "next.config.mjs": config.replace("{ output", "{ typescript: { ignoreBuildErrors: true }, output"),
      },
      build: "NEXT_TELEMETRY_DISABLED=1 next build --webpack",
      run: `LIMIT=60000000 ${serve} ${routes} node server.js`,
    }),
    placeOf({
      name: "Next.js, built without withSkein",
      write: "`next build`",
      // The minifier has taken the name of a function whose schema is written.
      gets: { refusal: ["withSkein(nextConfig), from skein/next", "Set one with tool(fn, { name"] },
      files: { "next.config.mjs": "export default { typescript: { ignoreBuildErrors: true } };\n" },
      // Where the sources are not: beside them, source maps would lead to the types.
      build: "NEXT_TELEMETRY_DISABLED=1 next build && rm -r src",
      run: `${serve} report next start`,
    }),
  ],
};
