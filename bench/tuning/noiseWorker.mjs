/** Some of the repetitions on noise, in a thread of their own. */
import { parentPort, workerData } from 'node:worker_threads';
import { CASES } from './noiseModels.mjs';
import { repetition } from './repetition.mjs';

const { name, from, every, repetitions } = workerData;
const found = [];
for (let number = from; number < repetitions; number += every) found.push(await repetition(CASES[name], number));
parentPort.postMessage(found);
