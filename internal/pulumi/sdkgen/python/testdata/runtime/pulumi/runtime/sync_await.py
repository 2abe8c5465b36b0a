def _sync_await(awaitable):
    raise NotImplementedError
