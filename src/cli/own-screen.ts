import { ownOutput } from "../connectors/mcp/server/own-output.ts";
import { screenOn, type Screen, styledOnly } from "./text.ts";

/** Standard output for what the command itself prints: from now on, what the loaded files print goes to standard error. */
export function ownScreen(): Screen {
  const { wire } = ownOutput();
  return { ...screenOn(process.stdout), write: (text) => void wire.write(styledOnly(text)) };
}
