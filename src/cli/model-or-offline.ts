import { ModelNotFoundError } from "../errors.ts";
import type { Model } from "../model/types.ts";

/** The model that the environment names; where it names none, the offline one, which says what it is. */
export async function modelOrOffline(): Promise<Model> {
  const { defaultModel, modelFromName } = await import("#model-resolution");
  try {
    return await defaultModel();
  } catch (error) {
    if (!(error instanceof ModelNotFoundError) || process.env["SKEIN_MODEL"]) throw error;
    return modelFromName("offline");
  }
}
