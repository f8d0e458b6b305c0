/** Turns texts into vectors of one length, in order. */
export type Embed = (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;

/** Where an embedding model is. */
export interface EmbeddingModel {
  /** Of a server that speaks OpenAI's form, up to `/v1`: OpenAI, Ollama, llama.cpp, vLLM. */
  readonly baseURL: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** Texts of one request. */
const batch = 64;

/**
 * An embedding model over HTTP, in the form of OpenAI's `POST /embeddings`
 * (https://platform.openai.com/docs/api-reference/embeddings/create).
 */
export function embedder({ baseURL, model, apiKey }: EmbeddingModel): Embed {
  return async (texts, signal) => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += batch) {
      const input = texts.slice(at, at + batch);
      const response = await fetch(`${baseURL}/embeddings`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
        body: JSON.stringify({ model, input, encoding_format: "float" }),
        signal: AbortSignal.any([AbortSignal.timeout(30_000), ...(signal ? [signal] : [])]),
      });
      if (!response.ok) throw new Error(`the embedding model answered with status ${response.status}`);
      vectors.push(...vectorsOf(await response.json(), input.length));
    }
    return vectors;
  };
}

/** The embedding model that the environment names, if it names one. */
export function embedderFromEnvironment(env: NodeJS.ProcessEnv = process.env): Embed | undefined {
  const { EMBEDDINGS_URL: baseURL, EMBEDDINGS_MODEL: model = "text-embedding-3-small" } = env;
  return baseURL ? embedder({ baseURL, model, apiKey: env["EMBEDDINGS_API_KEY"] }) : undefined;
}

interface Answer {
  readonly data?: readonly { readonly index?: unknown; readonly embedding?: unknown }[];
}

function vectorsOf(answer: Answer, count: number): readonly Float32Array[] {
  const { data } = answer;
  if (!Array.isArray(data) || data.length !== count)
    throw new Error("the embedding model's answer has another form");
  return data
    .toSorted((a, b) => Number(a.index) - Number(b.index))
    .map(({ embedding }) => {
      if (!Array.isArray(embedding) || !embedding.every(Number.isFinite))
        throw new Error("the embedding model's answer has another form");
      return Float32Array.from(embedding);
    });
}
