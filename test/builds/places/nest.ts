import type { Place, PlaceGroup } from "../place.ts";

const main = `import "reflect-metadata";
import { Injectable, Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { report } from "./report.js";

@Injectable()
class Tables {
  readonly report = report;
}

@Injectable()
class Reporter {
  constructor(private readonly tables: Tables) {}

  async print(): Promise<void> {
    console.log(JSON.stringify(await this.tables.report()));
  }
}

@Module({ providers: [Tables, Reporter] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
await app.get(Reporter).print();
`;

function nest(builder: "tsc" | "swc", place: Pick<Place, "name" | "gets" | "build"> & Partial<Place>): Place {
  return {
    write: `\`${place.build}\``,
    install: "nest",
    imports: ".js",
    decorators: "legacy",
    compilerOptions: {
      noEmit: undefined,
      allowImportingTsExtensions: undefined,
      erasableSyntaxOnly: undefined,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      outDir: "dist",
      rootDir: "src",
    },
    files: {
      "src/main.ts": main,
      "nest-cli.json": JSON.stringify({ sourceRoot: "src", compilerOptions: { builder } }),
      ".swcrc": JSON.stringify({
        jsc: {
          parser: { syntax: "typescript", decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: "es2022",
        },
        module: { type: "es6" },
      }),
    },
    run: "node dist/main.js",
    ...place,
  };
}

const places: readonly Place[] = [
  nest("tsc", { name: "NestJS", build: "nest build && skein attach dist", gets: "schemas" }),
  nest("swc", { name: "NestJS, built by swc", build: "nest build && skein attach dist", gets: "schemas" }),
  nest("tsc", {
    name: "NestJS, without the command",
    build: "nest build",
    gets: { refusal: 'run "skein attach dist" after the compiler' },
  }),
];

/** NestJS, its decorators and both of its builders. */
export const nestJs: PlaceGroup = { title: "NestJS", places };
