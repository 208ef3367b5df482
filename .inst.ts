import { ensureN8n, folderOfLine } from '/work/main/n8n/install';
(async()=>{ const r=(l:any,...a:any[])=>console.log(l,...a);
 await ensureN8n(r as any, folderOfLine('2')); await ensureN8n(r as any, folderOfLine('1')); console.log('OK'); })();
