import { Pipeline, StandardScaler } from 'cvkit/preprocessing';
import centroid from './centroid.mjs';

/** Scaled rows before nearest centroids. */
export default (ctx) => new Pipeline([new StandardScaler(), centroid(ctx)]);
