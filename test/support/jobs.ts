import type { Sandbox } from '../../sandbox';

type Jobs = Sandbox['state']['jobs'];

/** Jobs as a summary and the log list them. */
export const listed = (jobs: Jobs) => jobs.map(listedJob).join(', ');

/** One job in such a list. */
export const listedJob = ({ job_id, keyword }: Jobs[number]) => `${job_id} for "${keyword}"`;
