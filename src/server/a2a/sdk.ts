import type * as A2a from "@a2a-js/sdk";
import type * as A2aErrors from "@a2a-js/sdk/errors";
import type * as A2aServer from "@a2a-js/sdk/server";
import { ConfigurationError } from "../../errors.ts";

/** What is used of the protocol's official SDK: an optional peer, loaded with the first request. */
export interface Sdk {
  readonly a2a: typeof A2a;
  readonly errors: typeof A2aErrors;
  readonly server: typeof A2aServer;
}

/** @throws ConfigurationError (`missing-package`) */
export async function loadSdk(): Promise<Sdk> {
  try {
    const [a2a, errors, server] = await Promise.all([
      import("@a2a-js/sdk"),
      import("@a2a-js/sdk/errors"),
      import("@a2a-js/sdk/server"),
    ]);
    return { a2a, errors, server };
  } catch (cause) {
    throw new ConfigurationError("The protocol a2a needs a package: npm install @a2a-js/sdk", {
      code: "missing-package",
      data: { package: "@a2a-js/sdk" },
      cause,
    });
  }
}
