/** Whether the native binding of tfjs-node is there: a download or a build of its own, which many machines lack. */
import { existsSync, readdirSync } from 'node:fs';

const LIB = new URL('../../node_modules/@tensorflow/tfjs-node/lib/', import.meta.url);

export const hasTfjsNode =
  existsSync(LIB) && readdirSync(LIB).some((folder) => existsSync(new URL(`${folder}/tfjs_binding.node`, LIB)));
