/** A setting of a preset's server: an environment variable, or an argument or header that names it. */
export interface PresetVariable {
  /** What it is, in a few words. */
  readonly about: string;
  readonly isRequired?: true;
  /** Where to get it. */
  readonly from?: string;
  /** It is the path of a file: made absolute, and `"existing"` must be there already. */
  readonly file?: "any" | "existing";
}

/** A server that starts with one line: plain data. */
export interface McpPreset {
  /** What its tools are for, one sentence. */
  readonly about: string;
  /** The program and its arguments; `${NAME}` stands for a variable. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Or the address of a server that is hosted, and the headers it wants. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Those that stand in no argument and no header go into the program's environment. */
  readonly variables?: Readonly<Record<string, PresetVariable>>;
  /** Set if folders must be passed as arguments: their name in the help. */
  readonly folders?: string;
  /** What else must be there, which cannot be seen from here. */
  readonly needs?: readonly string[];
  /** The server's own documentation. */
  readonly docs: string;
}

/** A program that fetches servers and starts them. */
export interface Installer {
  readonly from: string;
  /** The variables that it reaches the network by, where they are set: proxies, certificates, registries. */
  readonly network: readonly string[];
}

const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];

/** The programs that start servers. */
export const installers: Readonly<Record<string, Installer>> = {
  npx: {
    from: "it comes with Node.js, https://nodejs.org",
    network: [...proxies, "NODE_EXTRA_CA_CERTS", "npm_config_registry", "NPM_CONFIG_REGISTRY"],
  },
  uvx: {
    from: "it comes with uv, https://docs.astral.sh/uv/getting-started/installation",
    network: [...proxies, "SSL_CERT_FILE", "UV_DEFAULT_INDEX", "UV_INDEX_URL"],
  },
};

const reference = "https://github.com/modelcontextprotocol/servers/tree/main/src";

/** The names of the presets. */
export type PresetName =
  | "filesystem"
  | "memory"
  | "everything"
  | "playwright"
  | "notion"
  | "googleDrive"
  | "minimax"
  | "github"
  | "aci";

/** Every preset, as its server's documentation says how to start it. */
export const presetTable: Readonly<Record<PresetName, McpPreset>> = {
  filesystem: {
    about: "Reads, writes and searches files, in the folders given only.",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-filesystem"],
    folders: "FOLDER...",
    docs: `${reference}/filesystem`,
  },
  memory: {
    about: "Remembers people, things and what connects them, in a file.",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-memory"],
    variables: {
      MEMORY_FILE_PATH: {
        about: "the file; within npm's cache, which may be emptied, if not set",
        file: "any",
      },
    },
    docs: `${reference}/memory`,
  },
  everything: {
    about: "Tries out every feature of the protocol, for tests.",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-everything"],
    docs: `${reference}/everything`,
  },
  playwright: {
    about: "Opens pages in a browser, reads them, clicks and types.",
    command: "npx",
    args: ["-y", "@playwright/mcp@latest"],
    needs: [
      "Chrome, or another browser that args name: --browser firefox, --executable-path /usr/bin/chromium",
    ],
    docs: "https://github.com/microsoft/playwright-mcp",
  },
  notion: {
    about: "Searches, reads and edits pages of a Notion workspace.",
    command: "npx",
    args: ["-y", "mcp-remote", "https://mcp.notion.com/mcp"],
    needs: ["a Notion account: the first start opens a browser to log in"],
    docs: "https://developers.notion.com/docs/mcp",
  },
  googleDrive: {
    about: "Searches and reads files of a Google Drive.",
    command: "npx",
    args: ["-y", "@modelcontextprotocol/server-gdrive"],
    variables: {
      GDRIVE_CREDENTIALS_PATH: {
        about: "the file with the credentials",
        isRequired: true,
        from: "`npx -y @modelcontextprotocol/server-gdrive auth` writes it, with GDRIVE_OAUTH_PATH set as well",
        file: "existing",
      },
    },
    docs: "https://www.npmjs.com/package/@modelcontextprotocol/server-gdrive",
  },
  minimax: {
    about: "Makes speech, music, images and videos with MiniMax.",
    command: "uvx",
    args: ["minimax-mcp", "-y"],
    variables: {
      MINIMAX_API_KEY: {
        about: "the key",
        isRequired: true,
        from: "https://www.minimax.io/platform/user-center/basic-information/interface-key",
      },
      MINIMAX_API_HOST: {
        about: "https://api.minimax.io, or https://api.minimaxi.com for a key of mainland China",
      },
      MINIMAX_MCP_BASE_PATH: { about: "the folder for what it makes", file: "any" },
      MINIMAX_API_RESOURCE_MODE: { about: "url or local: whether it returns addresses or writes files" },
    },
    docs: "https://github.com/MiniMax-AI/MiniMax-MCP",
  },
  github: {
    about: "Reads and changes repositories, issues and pull requests on GitHub.",
    url: "https://api.githubcopilot.com/mcp/",
    headers: { authorization: "Bearer ${GITHUB_PERSONAL_ACCESS_TOKEN}" },
    variables: {
      GITHUB_PERSONAL_ACCESS_TOKEN: {
        about: "a token with the rights that the tools need",
        isRequired: true,
        from: "https://github.com/settings/personal-access-tokens/new",
      },
    },
    docs: "https://github.com/github/github-mcp-server",
  },
  aci: {
    about: "Finds and calls functions of hundreds of services that are linked on ACI.dev.",
    command: "uvx",
    args: ["aci-mcp", "unified-server", "--linked-account-owner-id", "${LINKED_ACCOUNT_OWNER_ID}"],
    variables: {
      ACI_API_KEY: { about: "the key", isRequired: true, from: "https://platform.aci.dev" },
      LINKED_ACCOUNT_OWNER_ID: {
        about: "whose accounts are used",
        isRequired: true,
        from: "https://platform.aci.dev/linked-accounts",
      },
    },
    docs: "https://www.aci.dev/docs/mcp-servers/unified-server",
  },
};
