import { useClock } from './clock';

useClock();
