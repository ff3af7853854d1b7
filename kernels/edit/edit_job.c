/* SPDX-License-Identifier: MIT
 */
#include "kernels/edit/edit_job.h"

fv_status
edit_grow (const edit_job *job, edit_memory *memory, size_t bytes, size_t used, fv_error *error)
{
  const size_t twice = 2 * memory->bytes, more = bytes > twice ? bytes : twice;
  void *at;
  if (bytes <= memory->bytes)
    return FV_OK;
  if (job->call->host->host_scratch (job->call, more < 4096 ? 4096 : more, &at, error))
    return error->code;
  if (used)
    memcpy (at, memory->at, used);
  *memory = (edit_memory){at, more < 4096 ? 4096 : more};
  return FV_OK;
}

fv_status
edit_tick (const edit_job *job, fv_error *error)
{
  return job->call->host->tick (job->call, job->edits + job->missed, job->commands) ? cancelled (error) : FV_OK;
}
