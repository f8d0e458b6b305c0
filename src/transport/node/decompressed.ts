import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { builtinModule } from "../../base/util/builtin-module.ts";

/**
 * The body of an answer without its compression. None is asked for, but a gateway may compress all the same.
 * @param encoding - The header `content-encoding`; one that is not known leaves the body as it is.
 */
export function decompressed(incoming: IncomingMessage, encoding: string | undefined): Readable {
  const decompressor = encoding && decompressorOf(encoding.trim().toLowerCase());
  if (!decompressor) return incoming;
  // An error is the last stream's, too: `pipeline` destroys it with that, and the reader of the body gets it.
  builtinModule("node:stream")?.pipeline(incoming, decompressor, () => {});
  return decompressor;
}

function decompressorOf(encoding: string): Transform | undefined {
  const zlib = builtinModule("node:zlib");
  switch (encoding) {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return zlib?.createUnzip();
    case "br":
      return zlib?.createBrotliDecompress();
    case "zstd":
      return zlib?.createZstdDecompress?.();
    default:
      return undefined;
  }
}
