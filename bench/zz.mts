import { generatedLake, laterLake } from './generate.ts';
const t=performance.now();
for (const f of [generatedLake, laterLake]) await f(1_000_000, (s)=>console.log(s, ((performance.now()-t)/1000).toFixed(1)));
