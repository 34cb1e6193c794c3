import { it } from 'vitest';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
const best=(f:()=>void,k=5)=>{let b=1e9;for(let i=0;i<k;i++){const t=process.cpuUsage();f();const u=process.cpuUsage(t);b=Math.min(b,(u.user+u.system)/1000)}return b.toFixed(1)};
it('x',()=>{
 const out:string[]=[];
 out.push('kfold 1e6x10 shuffled '+best(()=>{foldsOf(new KFold({nSplits:10,shuffle:true,randomState:1}),1_000_000)}));
 out.push('kfold 1e6x10 '+best(()=>{foldsOf(new KFold({nSplits:10}),1_000_000)}));
 out.push('loocv 5000 '+best(()=>{foldsOf(new LOOCV(),5000)}));
 out.push('boot 100 x 1e5 '+best(()=>{foldsOf(new BootstrapValidation({nIterations:100,randomState:1}),100000)},3));
 const t=Float64Array.from({length:1e6},(_,i)=>(i*7919)%1000003);
 out.push('tss 1e6 '+best(()=>{foldsOf(new TimeSeriesSplit(),1_000_000,undefined,{timestamps:t})},3));
 const d=Array.from({length:1e5},(_,i)=>1e12+((i*7919)%100003)*3600e3);
 out.push('tss dates 1e5 '+best(()=>{foldsOf(new TimeSeriesSplit(),1e5,undefined,{timestamps:d})},3));
 for(const g of [30,100,300,1000,3000,10000]){const n=g*10;const groups=Array.from({length:n},(_,i)=>i%g);const y=Array.from({length:n},(_,i)=>((i*2654435761)>>>7)%10<3?1:0);
 out.push('sgkf '+g+' '+best(()=>{foldsOf(new StratifiedGroupKFold({randomState:1}),n,y,{groups})},3));}
 console.log(out.join('\n'));
},120000);
