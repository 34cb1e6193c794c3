import { Pipeline, StandardScaler } from 'cvkit/preprocessing';
import centroid from './centroid.mjs';

/** The pipeline of pipeline.mjs itself, whose last step makes the model of each fold. */
export default new Pipeline([new StandardScaler(), centroid]);
