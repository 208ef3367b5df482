// For the test files of a project that tests n8n 1.
process.env.N8N_LINE = '1';
