import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import type { Network } from "./domains.ts";
import { lazyTier } from "./lazy-sandbox.ts";
import type { ContainerOptions, SandboxTier, SandboxVia, TierName } from "./types.ts";

/** What makes boxes, each loaded at the first use of one. */
const tiers: Readonly<Record<TierName, SandboxTier>> = {
  bubblewrap: lazyTier(async () => (await import("./bubblewrap/bubblewrap.ts")).bubblewrap),
  memory: lazyTier(async () => (await import("./memory/memory.ts")).memory),
  "sandbox-runtime": lazyTier(async () => (await import("./runtime/sandbox-runtime.ts")).sandboxRuntime),
};

/**
 * What makes the boxes of a sandbox.
 * @param via - As the options have it.
 * @param network - What programs may reach.
 * @param place - Names the options in an error.
 * @throws ConfigurationError (`invalid-option`) for what cannot make boxes, or none with this network.
 */
export function tierOf(via: SandboxVia | undefined, network: Network, place: string): SandboxTier {
  const usual = network.domains.length > 0 ? "sandbox-runtime" : "bubblewrap";
  const chosen = via === undefined ? usual : via;
  if (typeof chosen === "function") return chosen;
  if (typeof chosen === "string" && Object.hasOwn(tiers, chosen))
    return assertNetwork(chosen, network, place);
  if (typeof chosen === "object" && chosen !== null) return containerTier(readContainer(chosen, place));
  throw invalidOption(
    `via of ${place} must be ${Object.keys(tiers)
      .map((name) => `"${name}"`)
      .join(", ")}, { container, image } or a function that makes a sandbox, not ${describeValue(via)}.`,
    { option: "via" },
  );
}

/** @throws ConfigurationError for a network that a tier cannot make. */
function assertNetwork(name: TierName, { net, domains }: Network, place: string): SandboxTier {
  if (name === "bubblewrap" && domains.length > 0)
    throw invalidOption(
      `net of ${place} names hosts, and bubblewrap has the whole network or none. Set via: "sandbox-runtime", or net: true.`,
      { option: "net" },
    );
  if (name === "sandbox-runtime" && net)
    throw invalidOption(
      `net of ${place} must name hosts: sandbox-runtime has no whole network. Name them, or leave via out.`,
      { option: "net" },
    );
  return tiers[name];
}

function containerTier(engine: ContainerOptions): SandboxTier {
  return lazyTier(async () => {
    const { container } = await import("./container/container.ts");
    return (options) => container(engine, options);
  });
}

const containerOptions: Readonly<Record<keyof ContainerOptions, true>> = {
  container: true,
  image: true,
  runtime: true,
};

/** @throws ConfigurationError (`invalid-option`) for an engine without a command or an image. */
function readContainer(options: ContainerOptions, place: string): ContainerOptions {
  assertKnownOptions(options, containerOptions, `via of ${place}`);
  const { container, image, runtime } = options;
  const command: readonly unknown[] = Array.isArray(container) ? container : [container];
  if (command.length === 0 || !command.every(isText))
    throw invalidOption(
      `via.container of ${place} must be a command such as "docker", or a list that begins with one.`,
      {
        option: "via",
      },
    );
  if (command[0] === "runsc")
    throw invalidOption(
      `via.container of ${place} names runsc, which runs containers of an engine. Write { container: "docker", runtime: "runsc", image }.`,
      { option: "via" },
    );
  if (!isText(image) || image.startsWith("-"))
    throw invalidOption(`via.image of ${place} must be the name of an image, not ${describeValue(image)}.`, {
      option: "via",
    });
  if (runtime !== undefined && !isText(runtime))
    throw invalidOption(
      `via.runtime of ${place} must be a name such as "runsc", not ${describeValue(runtime)}.`,
      {
        option: "via",
      },
    );
  return { container, image, runtime };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}
