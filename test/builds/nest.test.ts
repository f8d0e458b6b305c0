import { nestJs } from "./places/nest.ts";
import { tryPlaces } from "./try-places.ts";

tryPlaces(nestJs);
